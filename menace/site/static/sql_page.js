// Answer SQL on a copy of the database in this page. SQLite runs in a worker, so that a long query does not block the page.
"use strict";
(menace => {
  const { counted, escaped, phrase } = menace;
  const { boards, explore, file, kinds, pieces, questions, shape } = menace.sql;
  const at = id => document.getElementById(id);
  const MAX_ROWS = 1000; // rows that the page shows
  const FIRST_PIECE = 48; // as play_tables.py
  const cells = shape[0] * shape[1];
  const positions = new Map(boards.map((board, position) => [board, position]));

  /** Return the unpacked bytes of an element that contains a gzip file in base64. */
  const unpacked = id => {
    const packed = Uint8Array.from(atob(at(id).textContent), letter => letter.charCodeAt());
    return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  };
  const parts = Promise.all(["engine", "module", "database"].map(unpacked));

  /** Answer messages. This function runs in the worker, after the script of sql.js. */
  function work() {
    let opened;
    onmessage = async ({ data: { module, bytes, sql } }) => {
      opened ??= initSqlJs({ wasmBinary: module }).then(SQL => new SQL.Database(new Uint8Array(bytes)));
      if (module) return;
      try {
        const database = await opened;
        const answer = { columns: [], rows: [], changed: 0 };
        if (sql === undefined) answer.saved = database.export();
        else for (const statement of database.iterateStatements(sql)) {
          [answer.columns, answer.rows] = [statement.getColumnNames(), []];
          while (statement.step()) answer.rows.push(statement.get(null, { useBigInt: true })); // seeds have 63 bits
          answer.changed = database.getRowsModified();
        }
        postMessage(answer);
      } catch (error) {
        postMessage({ error: error.message });
      }
    };
  }

  async function start() {
    const [engine, module, bytes] = await parts;
    const worker = new Worker(URL.createObjectURL(new Blob([engine, `(${work})();`], { type: "text/javascript" })));
    worker.postMessage({ module, bytes });
    return worker;
  }

  let worker = start();
  let busy = false;
  /** Return the answer to SQL: its `columns` and `rows`, in which integers are BigInts. Without SQL, save the database. */
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
    show({ error: null }, phrase("sql_stopped"));
  }

  function boardHtml(text) {
    const first = cells * positions.get(text);
    const record = { shape, pieces: Array.from(pieces.slice(first, first + cells), letter => kinds[letter.charCodeAt() - FIRST_PIECE]) };
    return `<a href="${explore}#board=${encodeURIComponent(text)}"><table aria-hidden="true">${menace.rows(record, [])}</table><span>${escaped(text)}</span></a>`;
  }

  function cellHtml(value) {
    if (typeof value === "string") return positions.has(value) ? `<td class="drawn">${boardHtml(value)}` : `<td>${escaped(value)}`;
    if (value === null || value instanceof Uint8Array) return `<td>${value ? counted(value.length, "byte") : ""}`;
    return `<td class="number">${Number.isInteger(value) ? value.toFixed(1) : value}`;
  }

  function show({ columns = [], rows = [], changed, error }, words) {
    busy = at("save").disabled = false;
    at("stop").hidden = true;
    const more = rows.length > MAX_ROWS ? `; ${phrase("sql_first", { rows: menace.thousands(MAX_ROWS) })}` : "";
    at("status").textContent = words ?? (error ? phrase("sql_failed", { error }) : counted(columns.length ? rows.length : changed, columns.length ? "row" : "changed_row") + more);
    const numbers = columns.map((_, column) => rows.some(row => typeof row[column] === "bigint" || typeof row[column] === "number"));
    const head = columns.map((name, column) => `<th scope="col"${numbers[column] ? ' class="number"' : ""}>${escaped(name)}</th>`);
    const body = rows.slice(0, MAX_ROWS).map(row => `<tr>${row.map(cellHtml).join("")}`);
    at("answer").innerHTML = columns.length ? `<table class="list"><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>` : "";
  }

  /** Answer the SQL in the text field. The address then contains it, or the name of the question, so that a link can lead to it. */
  async function run() {
    const sql = at("sql").value;
    const question = questions.find(named => named.sql === sql);
    if (busy) stop();
    busy = at("save").disabled = true;
    at("stop").hidden = false;
    at("question").value = question?.name ?? "";
    at("why").innerHTML = escaped(question?.why ?? "").replace(/`(.*?)`/g, "<code>$1</code>");
    at("status").textContent = phrase("sql_asking");
    history.replaceState(null, "", `#${question?.name ?? `sql=${encodeURIComponent(sql)}`}`);
    show(await ask(sql));
  }

  function follow() {
    const own = new URLSearchParams(location.hash.slice(1)).get("sql");
    at("sql").value = own || (questions.find(({ name }) => name === location.hash.slice(1)) ?? questions[0]).sql;
    run();
  }

  async function save() {
    const { saved, error } = await ask();
    if (error) return show({ error });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([saved], { type: "application/vnd.sqlite3" }));
    link.download = file;
    link.click();
  }

  at("ask").addEventListener("submit", event => { event.preventDefault(); run(); });
  at("sql").addEventListener("keydown", event => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run(); });
  at("question").addEventListener("change", () => {
    const question = questions.find(named => named.name === at("question").value);
    at("sql").value = question?.sql ?? "SELECT ";
    if (question) run();
    else at("sql").focus();
  });
  at("stop").addEventListener("click", stop);
  at("save").addEventListener("click", save);
  addEventListener("hashchange", follow);
  Object.assign(menace, { ask });
  follow();
})(globalThis.menace ??= {});
