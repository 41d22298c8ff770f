import { z } from "zod";

/** The frozen returns as a reader may check them: these keys, these types, nothing else. */
const text = z.string();
const cost = z.number().int().nonnegative();
const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const errorOnly = z.strictObject({ error: text.min(1) });

const document = z.strictObject({
  id: text.regex(/^chunk:\d+_\d+$/),
  content: text.min(1),
  document_id: text.min(1),
  document_name: text.min(1),
  url: text,
});
const node = z.strictObject({ id: text, label: text, name: text, properties: z.record(text, z.unknown()) });
const edge = z.strictObject({
  id: text,
  _from: text,
  from_type: text,
  to: text,
  to_type: text,
  label: text,
  properties: z.record(text, z.unknown()),
});

export const solveReturn = z.strictObject({
  answer: text.min(1),
  reference: z.array(
    z.strictObject({ id: z.literal("reference_ref_format"), type: z.literal("chunk"), info: z.array(document) }),
  ),
  subgraph: z.array(z.strictObject({ class_name: text, result_nodes: z.array(node), result_edges: z.array(edge) })),
  cost_ms: cost,
  namespace: text.regex(/^[A-Za-z][A-Za-z0-9]{2,63}$/),
});

export const schemaReturn = z.strictObject({
  project_id: text.min(1),
  namespace: text,
  spg_types: z.record(
    text.regex(/^[A-Za-z][A-Za-z0-9]*\.[A-Za-z][A-Za-z0-9]*$/),
    z.strictObject({ spg_type_enum: z.enum(["CONCEPT_TYPE", "ENTITY_TYPE", "EVENT_TYPE", "INDEX_TYPE"]) }),
  ),
});

export const reasonReturn = z
  .strictObject({
    status: z.enum(["FINISH", "ERROR", "TIMEOUT"]),
    header: z.array(text),
    rows: z.array(z.array(cell)).max(200),
    row_count: z.number().int().nonnegative(),
    truncated: z.boolean(),
    cost_ms: cost,
    namespace: text,
    error: text.max(601).optional(),
  })
  .refine((it) => (it.status === "FINISH") === (it.error === undefined), "anything but FINISH carries an error")
  .refine((it) => it.rows.every((row) => row.length === it.header.length), "rows are as long as the header");

export const statusReturn = z.union([
  z.strictObject({
    bridge: z.literal("ok"),
    project: text,
    project_id: text,
    namespace: text,
    llm_configured: z.boolean(),
    vectorizer_configured: z.boolean(),
    spg_server: z.strictObject({ url: text, reachable: z.boolean(), detail: text }),
  }),
  z.strictObject({ bridge: z.literal("error"), error: text.max(201) }),
]);

export type Solved = z.infer<typeof solveReturn>;
