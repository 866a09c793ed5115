(scene name: (name) @name) @definition.module
(procedure name: (name) @name) @definition.function
(property name: (name) @name) @definition.constant
(cost name: (name) @name) @definition.constant
(measure name: (name) @name) @definition.constant
(ask procedure: (name) @name) @reference.call
