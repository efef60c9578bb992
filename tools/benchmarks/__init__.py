"""Programs that measure speed, memory and size. docs/development/performance.md lists the budgets."""
