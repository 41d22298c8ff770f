/** A read query: `MATCH paths [WHERE …] RETURN items`. Offsets (`at`) are UTF-16 units into the text. */
export interface Query {
  readonly paths: readonly PathPattern[];
  readonly where: Expression | undefined;
  readonly returns: readonly ReturnItem[];
}

/** `nodes` has one more element than `edges`: node, edge, node, edge, node. */
export interface PathPattern {
  readonly at: number;
  readonly name: string | undefined;
  readonly optional: boolean;
  readonly nodes: readonly NodePattern[];
  readonly edges: readonly EdgePattern[];
}

export interface NodePattern {
  readonly at: number;
  readonly alias: string | undefined;
  /** Any of them; empty for every node. */
  readonly labels: readonly NodeLabel[];
  readonly where: Expression | undefined;
}

/** A type, or instances of types (`Type/instance + Type/instance`) of which the node must be all. */
export type NodeLabel =
  | { readonly kind: "type"; readonly name: string; readonly at: number }
  | {
      readonly kind: "instances";
      readonly all: readonly { readonly type: string; readonly instance: string; readonly at: number }[];
    };

export interface EdgePattern {
  readonly at: number;
  readonly alias: string | undefined;
  /** Any of them; empty for every relation. */
  readonly labels: readonly { readonly name: string; readonly at: number }[];
  readonly direction: "out" | "in" | "any";
  readonly where: Expression | undefined;
  /** The first so many edges of the node on the left, in the graph's order. */
  readonly perNodeLimit: number | undefined;
  /** Present when the edge repeats: `{2,3}`, `?`. */
  readonly hops: { readonly least: number; readonly most: number } | undefined;
}

export interface ReturnItem {
  readonly expression: Expression;
  /** The column's name: the alias, or the expression as it was written. */
  readonly header: string;
}

export type ComparisonOperator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "like" | "rlike";
export type LogicOperator = "and" | "or" | "xor";
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";

export type Expression = { readonly at: number } & (
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "parameter"; readonly name: string }
  | { readonly kind: "alias"; readonly name: string }
  | { readonly kind: "property"; readonly of: Expression; readonly name: string }
  | { readonly kind: "list"; readonly items: readonly Expression[] }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: "not"; readonly of: Expression }
  | { readonly kind: "negate"; readonly of: Expression }
  | { readonly kind: "is"; readonly of: Expression; readonly value: boolean | null; readonly negated: boolean }
  | { readonly kind: "logic"; readonly operator: LogicOperator; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: "compare";
      readonly operator: ComparisonOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "arithmetic";
      readonly operator: ArithmeticOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
);
