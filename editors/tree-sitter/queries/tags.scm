(scene name: (name) @name) @definition.module
(procedure name: (name) @name) @definition.function
(property name: (name) @name) @definition.constant
(cost name: (name) @name) @definition.constant
(measure name: (name) @name) @definition.constant
(truth name: (name) @name) @reference.call
(ask procedure: (name) @name) @reference.call
