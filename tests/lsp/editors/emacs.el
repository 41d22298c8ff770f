;;; emacs.el --- Drives Emacs with eglot in batch, through the plugin's file. Writes one JSON object.  -*- lexical-binding: t; -*-
(dolist (pattern '("/usr/share/emacs/site-lisp/elpa/*" "/usr/share/emacs/site-lisp/elpa-src/*"))
  (dolist (folder (file-expand-wildcards pattern))
    (when (file-directory-p folder) (add-to-list 'load-path folder))))
(setq load-prefer-newer t
      eglot-sync-connect 30
      eglot-connect-timeout 30
      eglot-autoshutdown t
      flymake-no-changes-timeout 0.1)
(require 'json)
(require 'eglot)
(require 'flymake)
(require 'markdown-mode nil t)
(load (expand-file-name "iaip-dsl.el" (getenv "PLUGIN")))
(setq iaip-dsl-command (append (json-read-from-string (getenv "SERVER")) nil))
(let ((address (getenv "ADDRESS")))
  (when address
    (let ((parts (split-string address ":")))
      (setq iaip-dsl-address (list (car parts) (string-to-number (cadr parts)))))))
(setq project-find-functions (list (lambda (_) (cons 'transient (getenv "ROOT")))))

(defun told-hover (server)
  (let ((hover (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams))))
    (plist-get (plist-get hover :contents) :value)))

(defun told-definition (server)
  (let ((found (jsonrpc-request server :textDocument/definition (eglot--TextDocumentPositionParams))))
    (plist-get (aref found 0) :uri)))

(defun wait-for-diagnostics ()
  (flymake-mode 1)
  (let ((tries 0))
    (while (and (< tries 300) (null (flymake-diagnostics)))
      (flymake-start)
      (accept-process-output nil 0.1)
      (setq tries (1+ tries))))
  (mapcar (lambda (it) (format "%d-%d %s" (flymake-diagnostic-beg it) (flymake-diagnostic-end it) (flymake-diagnostic-text it)))
          (flymake-diagnostics)))

(find-file (getenv "DOCUMENT"))
(if (fboundp 'markdown-mode) (markdown-mode) (text-mode))
(let ((project (project-current)))
  (eglot (list major-mode) project 'eglot-lsp-server (append (or iaip-dsl-address iaip-dsl-command) nil) "markdown"))
(let ((server (eglot-current-server)))
  (goto-char (point-min))
  (forward-line (string-to-number (getenv "LINE")))
  (forward-char (string-to-number (getenv "COLUMN")))
  (let ((told (list (cons 'server (plist-get (eglot--server-info server) :name))
                    (cons 'hover (told-hover server))
                    (cons 'definition (told-definition server))
                    (cons 'diagnostics (vconcat (wait-for-diagnostics))))))
    (with-temp-file (getenv "OUT") (insert (json-encode told))))
  (ignore-errors (eglot-shutdown server nil 3)))
(kill-emacs 0)
