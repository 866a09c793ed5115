[
  (scene)
  (clause)
  (memory)
  (procedure)
  (property)
  (cost)
  (group)
  (comment)
] @fold
