"""Programs that measure speed, memory and size; budgets are in docs/development/performance.md."""
