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
  (comment)
] @fold
