; For nvim-treesitter.
[
  (scene)
  (clause)
  (memory)
  (procedure)
  (property)
  (cost)
  (measure)
  (truth)
  (group)
  (arguments)
  (parentheses)
  (value_set)
] @indent.begin

["]" ")" "}"] @indent.branch @indent.end
(comment) @indent.auto
