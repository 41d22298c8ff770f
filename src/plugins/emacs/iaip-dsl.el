;;; iaip-dsl.el --- The iaip-dsl language server with eglot  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "26.3") (eglot "1.9"))
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; (require 'iaip-dsl), then M-x eglot in a Markdown, text or YAML buffer, or add
;; (add-hook 'markdown-mode-hook #'eglot-ensure) to your configuration.

;;; Code:

(require 'eglot)

(defgroup iaip-dsl nil
  "The iaip-dsl language server."
  :group 'eglot)

(defcustom iaip-dsl-command '("iaip-dsl" "lsp" "--stdio")
  "The command that starts the language server."
  :type '(repeat string))

(defcustom iaip-dsl-address nil
  "Host and port of a language server that runs already, shared with others.
Start it with: iaip-dsl lsp --listen 127.0.0.1:7332"
  :type '(choice (const :tag "Start one" nil) (list string integer)))

(defcustom iaip-dsl-modes '(markdown-mode gfm-mode text-mode yaml-mode)
  "The modes that the language server is used in."
  :type '(repeat symbol))

(add-to-list 'eglot-server-programs
             (cons iaip-dsl-modes (lambda (&rest _) (or iaip-dsl-address iaip-dsl-command))))

(provide 'iaip-dsl)
;;; iaip-dsl.el ends here
