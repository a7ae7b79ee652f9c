#pragma once

#include <string>

/// What the pages that the command writes have in common.
namespace microslip::app {

inline constexpr const char* page_style = R"(<style>
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;color:#22282f;background:#f4f5f7;
 margin:0}
main{max-width:1080px;margin:0 auto;padding:28px 24px 60px}
h1{font-size:27px;margin:0 0 4px}h2{font-size:19px;margin:0 0 10px}
.lead{font-size:18px;margin:0 0 22px}.sub{color:#67717c;margin:0 0 18px}
section{background:#fff;border:1px solid #dfe3e8;border-radius:10px;padding:18px 22px;margin:0 0 18px}
.two{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:18px}.two section{margin:0}
@media(max-width:820px){.two{grid-template-columns:minmax(0,1fr)}}
.wide{overflow-x:auto}svg{width:100%;height:auto;display:block;margin:0 auto}
.wide svg{min-width:500px}.two .wide svg{min-width:330px}
table{border-collapse:collapse;width:100%;font-size:14.5px;font-variant-numeric:tabular-nums}
th,td{padding:5px 10px;text-align:right;border-bottom:1px solid #eceff2;white-space:nowrap}
th{vertical-align:bottom}td.message{white-space:normal}
th{color:#67717c;font-weight:600}th:first-child,td:first-child{text-align:left}
td.words,th.words{text-align:left}tr.best td{background:#eef6fc;font-weight:600}
.bar{display:inline-block;height:9px;background:#0072b2;border-radius:2px;vertical-align:middle}
code,pre{font:13.5px/1.45 ui-monospace,Consolas,monospace;background:#f1f3f5;border-radius:5px}
code{padding:1px 5px}pre{padding:12px 14px;overflow-x:auto;white-space:pre-wrap;margin:8px 0}
.swatch{display:inline-block;width:11px;height:11px;border-radius:3px;margin-right:8px}
.note{color:#67717c;font-size:14px}ul{margin:6px 0;padding-left:20px}
details{margin-top:10px}summary{cursor:pointer;color:#0072b2}h1{overflow-wrap:anywhere}
@media(max-width:820px){main{padding:18px 10px 40px}section{padding:14px 12px}.bar{display:none}}
@page{margin:14mm}
@media print{body{background:#fff;font-size:10pt;print-color-adjust:exact;
 -webkit-print-color-adjust:exact}main{max-width:none;padding:0}details:not([open]){display:none}
 section{border:0;padding:0 0 10px}.two{grid-template-columns:1fr 1fr;
 break-inside:avoid}
 .wide{overflow:visible}.wide svg,.two .wide svg{min-width:0}
 section.picture{break-inside:avoid}h2{break-after:avoid}tr{break-inside:avoid}
 table{font-size:8.5pt}th,td{padding:2px 5px}}
</style>
)";

/// Up to and with the opening of <main>; the title is text between tags.
inline std::string page_head(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>\n"
         "<meta name='viewport' content='width=device-width,initial-scale=1'>\n<title>" +
         title + "</title>\n" + page_style + "</head><body><main>\n";
}
inline constexpr const char* page_end = "</main></body></html>\n";

/// Scrolls by itself where the window is narrow.
inline std::string framed(const std::string& content) {
  return "<div class='wide'>" + content + "</div>";
}

}  // namespace microslip::app
