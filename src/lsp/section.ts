/** The key of our settings in an editor's configuration. */
export const section = "iaip-dsl";
