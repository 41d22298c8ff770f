-- Neovim 0.7 to 0.10: `require("iaip_dsl").setup()` in the configuration. From 0.11 on use `lsp/iaip_dsl.lua`.
local M = {}

local filetypes = { "markdown", "text", "yaml" }

local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  while true do
    for _, marker in ipairs({ ".iaip-dsl.yaml", ".iaip-dsl.yml", ".git" }) do
      if vim.fn.empty(vim.fn.glob(folder .. "/" .. marker)) == 0 then
        return folder
      end
    end
    local parent = vim.fn.fnamemodify(folder, ":h")
    if parent == folder then
      return vim.fn.getcwd()
    end
    folder = parent
  end
end

-- `port` is that of a shared server (`iaip-dsl lsp --listen 127.0.0.1:7332`); needs Neovim 0.8.
local function command(options)
  if options.port then
    return vim.lsp.rpc.connect(options.host or "127.0.0.1", options.port)
  end
  return options.cmd or { "iaip-dsl", "lsp", "--stdio" }
end

local clients = {}

--- Attaches the language server to a buffer; one server for each root.
function M.attach(buffer, options)
  options = options or {}
  local root = root_of(vim.api.nvim_buf_get_name(buffer))
  if not clients[root] then
    clients[root] = vim.lsp.start_client({
      name = "iaip-dsl",
      cmd = command(options),
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      settings = { ["iaip-dsl"] = options.settings or vim.empty_dict() },
      on_attach = options.on_attach,
      on_exit = function()
        clients[root] = nil
      end,
    })
  end
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
  return clients[root]
end

--- Attaches to every Markdown, text and YAML buffer. Options: `cmd`, `host`, `port`, `settings`, `on_attach`, `filetypes`.
function M.setup(options)
  options = options or {}
  vim.api.nvim_create_autocmd("FileType", {
    pattern = options.filetypes or filetypes,
    callback = function(event)
      M.attach(event.buf, options)
    end,
  })
end

return M
