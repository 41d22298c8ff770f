-- Neovim 0.11 and later: put this file into `lsp/` on the runtime path, then `vim.lsp.enable("iaip_dsl")`.
return {
  cmd = { "iaip-dsl", "lsp", "--stdio" },
  filetypes = { "markdown", "text", "yaml" },
  root_markers = { { ".iaip-dsl.yaml", ".iaip-dsl.yml" }, ".git" },
  settings = { ["iaip-dsl"] = {} },
}
