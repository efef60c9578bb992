// Run SQL on the copy of the database in this page. SQLite runs in a worker, so that a long query does not block the page.
"use strict";
(menace => {
  const { counted, escaped, phrase, thousands } = menace;
  const { boards, explore, file, kinds, pieces, questions, shape } = menace.sql;
  const at = id => document.getElementById(id);
  const MAX_ROWS = 1000; // maximum number of rows that the page shows
  const FIRST_PIECE = 48; // as in play_tables.py
  const cells = shape[0] * shape[1];
  const positions = new Map(boards.map((board, position) => [board, position]));

  /** Return the uncompressed content of an element that contains a gzip file in base64. */
  const unpacked = id => {
    const packed = Uint8Array.from(atob(at(id).textContent), letter => letter.charCodeAt());
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const parts = Promise.all(["engine", "module", "database"].map(unpacked));

  /** Reply to messages. This function runs in the worker, after the sql.js script. */
  function work() {
    let opened;
    onmessage = async ({ data: { module, bytes, sql } }) => {
      try {
        opened ??= initSqlJs({ wasmBinary: module }).then(SQL => new SQL.Database(new Uint8Array(bytes)));
        if (module) return;
        const [database, answer] = [await opened, { columns: [], rows: [] }];
        if (sql === undefined) answer.saved = database.export();
        else for (const statement of database.iterateStatements(sql)) {
          [answer.columns, answer.rows] = [statement.getColumnNames(), []];
          while (statement.step()) answer.rows.push(statement.get(null, { useBigInt: true })); // seeds have 63 bits
          answer.changed = database.getRowsModified();
        }
        postMessage(answer);
      } catch ({ message }) {
        postMessage({ columns: [], rows: [], error: message });
      }
    };
  }

  async function start() {
    const [engine, module, bytes] = await parts;
    const started = new Worker(URL.createObjectURL(new Blob([engine, `(${work})();`], { type: "text/javascript" })));
    started.postMessage({ module, bytes });
    return started;
  }
  let worker = start();

  /** Run SQL and return the `columns` and `rows` of the result, in which integers are BigInts. Without SQL, return the database as `saved`. */
  async function ask(sql) {
    const asked = await worker;
    return new Promise(done => {
      asked.onmessage = ({ data }) => done(data);
      asked.postMessage({ sql });
    });
  }

  function stop() {
    worker.then(stopped => stopped.terminate());
    worker = start();
    show({ columns: [], rows: [] }, phrase("sql_stopped"));
  }

  function cellHtml(value) {
    if (value === null || value instanceof Uint8Array) return `<td>${value ? counted(value.length, "byte") : ""}`;
    if (typeof value !== "string") return `<td class="number">${Number.isInteger(value) ? value.toFixed(1) : value}`;
    if (!positions.has(value)) return `<td>${escaped(value)}`;
    const first = cells * positions.get(value);
    const drawn = Array.from(pieces.slice(first, first + cells), letter => kinds[letter.charCodeAt() - FIRST_PIECE]);
    const board = `<table aria-hidden="true">${menace.rows({ shape, pieces: drawn }, [])}</table>`;
    return `<td class="drawn"><a href="${explore}#board=${encodeURIComponent(value)}">${board}<span>${escaped(value)}</span></a>`;
  }

  function rowsText({ columns, rows, changed, error }) {
    if (error) return phrase("sql_failed", { error });
    if (!columns.length) return counted(changed ?? 0, "changed_row");
    return counted(rows.length, "row") + (rows.length > MAX_ROWS ? `; ${phrase("sql_first", { rows: thousands(MAX_ROWS) })}` : "");
  }

  function show(answer, words = rowsText(answer)) {
    at("stop").hidden = !(at("save").disabled = false);
    at("status").textContent = words;
    const { columns, rows } = answer;
    const isNumber = column => rows.some(row => ["bigint", "number"].includes(typeof row[column]));
    const head = columns.map((name, column) => `<th scope="col"${isNumber(column) ? ' class="number"' : ""}>${escaped(name)}</th>`);
    const body = rows.slice(0, MAX_ROWS).map(row => `<tr>${row.map(cellHtml).join("")}`);
    at("answer").innerHTML = columns.length ? `<table class="list"><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>` : "";
  }

  /** Run the SQL in the text field. The URL then contains the SQL, or the name of the question, so that people can link to it. */
  async function run() {
    const sql = at("sql").value;
    const question = questions.find(named => named.sql === sql);
    if (!at("stop").hidden) stop();
    at("stop").hidden = !(at("save").disabled = true);
    at("question").value = question?.name ?? "";
    at("why").innerHTML = escaped(question?.why ?? "").replace(/`(.*?)`/g, "<code>$1</code>");
    at("status").textContent = phrase("sql_asking");
    history.replaceState(null, "", `#${question?.name ?? `sql=${encodeURIComponent(sql)}`}`);
    show(await ask(sql).catch(({ message }) => ({ columns: [], rows: [], error: message }))); // some old browsers lack a required feature
  }

  /** Run the question that the URL names, or the SQL that the URL contains. */
  function follow() {
    const name = location.hash.slice(1);
    at("sql").value = new URLSearchParams(name).get("sql") || (questions.find(named => named.name === name) ?? questions[0]).sql;
    run();
  }

  async function save() {
    const { saved } = await ask();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([saved], { type: "application/vnd.sqlite3" }));
    link.download = file;
    link.click();
  }

  at("ask").addEventListener("submit", event => { event.preventDefault(); run(); });
  at("sql").addEventListener("keydown", event => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(); });
  at("question").addEventListener("change", ({ target }) => {
    at("sql").value = questions.find(named => named.name === target.value)?.sql ?? "SELECT ";
    if (target.value) run();
    else at("sql").focus();
  });
  at("stop").addEventListener("click", stop);
  at("save").addEventListener("click", save);
  addEventListener("hashchange", follow);
  Object.assign(menace, { ask });
  follow();
})(globalThis.menace ??= {});
