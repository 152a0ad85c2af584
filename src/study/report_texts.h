/* report_texts.h - the style and the script of the report page, embedded by the build from src/study/report/. */
#ifndef WARPLINE_STUDY_REPORT_TEXTS_H
#define WARPLINE_STUDY_REPORT_TEXTS_H
extern const char report_css[];
extern const char report_js[];
#endif
