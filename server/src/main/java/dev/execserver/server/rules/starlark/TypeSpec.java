package dev.execserver.server.rules.starlark;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.Collectors;

/** Type that an annotation asks for. */
sealed interface TypeSpec {
    boolean matches(Object value);

    /** Any value. */
    record Any() implements TypeSpec {
        @Override
        public boolean matches(Object value) {
            return true;
        }

        @Override
        public String toString() {
            return "typing.Any";
        }
    }

    record Named(String name) implements TypeSpec {
        @Override
        public boolean matches(Object value) {
            return switch (name) {
                case "str" -> value instanceof String;
                case "int" -> value instanceof BigInteger;
                case "float" -> value instanceof Double || value instanceof BigInteger;
                case "function" -> value instanceof Callable;
                default -> Values.type(value).equals(name);
            };
        }

        @Override
        public String toString() {
            return name.equals("NoneType") ? "None" : name;
        }
    }

    record ListOf(TypeSpec element) implements TypeSpec {
        @Override
        public boolean matches(Object value) {
            return value instanceof ListValue list && list.elements().stream().allMatch(element::matches);
        }

        @Override
        public String toString() {
            return "list[" + element + "]";
        }
    }

    record DictOf(TypeSpec key, TypeSpec value) implements TypeSpec {
        @Override
        public boolean matches(Object given) {
            return given instanceof DictValue dict
                    && dict.keys().stream().allMatch(key::matches)
                    && dict.values().stream().allMatch(value::matches);
        }

        @Override
        public String toString() {
            return "dict[" + key + ", " + value + "]";
        }
    }

    record TupleOf(List<TypeSpec> elements) implements TypeSpec {
        @Override
        public boolean matches(Object value) {
            if (!(value instanceof TupleValue tuple) || tuple.elements().size() != elements.size()) {
                return false;
            }
            for (int i = 0; i < elements.size(); i++) {
                if (!elements.get(i).matches(tuple.elements().get(i))) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public String toString() {
            return elements.stream().map(Object::toString).collect(Collectors.joining(", ", "(", ")"));
        }
    }

    record OneOf(List<TypeSpec> choices) implements TypeSpec {
        @Override
        public boolean matches(Object value) {
            return choices.stream().anyMatch(choice -> choice.matches(value));
        }

        @Override
        public String toString() {
            return choices.stream().map(Object::toString).collect(Collectors.joining(" | "));
        }
    }

    static TypeSpec named(String name) {
        return new Named(name);
    }
}
