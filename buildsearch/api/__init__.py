"""The library as notebooks, tests and scripts meet it; `import buildsearch` offers what is public of it."""
