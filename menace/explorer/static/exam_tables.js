// Load the data of the page "How good are you?" from a server. A site provides the same data in scripts.
"use strict";
(menace => {
  const { clauses, tables } = document.getElementById("exam").dataset;
  menace.clauses = JSON.parse(clauses);
  menace.servedTables = fetch(tables).then(answer => answer.json()).catch(() => ({ error: "the server does not respond; load the page again" }));
})(globalThis.menace ??= {});
