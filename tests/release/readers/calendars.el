;; Prints the diary into which Emacs imports a calendar: emacs --batch --load calendars.el CALENDAR DIARY
(require 'icalendar)
(calendar-set-date-style 'iso)
(setq icalendar-import-format "%s")
(icalendar-import-file (nth 0 command-line-args-left) (nth 1 command-line-args-left) t)
(setq command-line-args-left nil)
