[
  (scene)
  (clause)
  (memory)
  (procedure)
  (property)
  (group)
  (arguments)
  (parentheses)
  (value_set)
] @indent

["]" ")" "}"] @outdent
