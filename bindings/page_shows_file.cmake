# A page of the documentation contains a file of the examples, word for word. page, file

file(READ ${page} text)
file(READ ${file} shown)
string(FIND "${text}" "${shown}" at)
if(at LESS 0)
  message(FATAL_ERROR "${page} does not show ${file} as it is")
endif()
