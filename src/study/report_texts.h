/* report_texts.h - the style and the scripts of the pages, embedded by the build from src/study/report/. */
#ifndef WARPLINE_STUDY_REPORT_TEXTS_H
#define WARPLINE_STUDY_REPORT_TEXTS_H
extern const char report_css[];
extern const char charts_js[]; /* what every page draws with */
extern const char characterisation_js[];
extern const char modules_js[];
extern const char report_js[];
extern const char reproduction_js[], scaling_js[];
#endif
