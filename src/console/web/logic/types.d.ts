/** Types of the modules that need no browser; tests refer to them. */

/// <reference path="../types/api.d.ts" />
/// <reference path="../types/charts.d.ts" />
/// <reference path="../types/figures.d.ts" />
/// <reference path="../types/formats.d.ts" />
/// <reference path="../types/lines.d.ts" />
/// <reference path="../types/lists.d.ts" />
/// <reference path="../types/markdown.d.ts" />
/// <reference path="../types/outbox.d.ts" />
/// <reference path="../types/sample_life.d.ts" />
/// <reference path="../types/texts.d.ts" />
/// <reference path="../types/times.d.ts" />
/// <reference path="../types/trail.d.ts" />
