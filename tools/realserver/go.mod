module github.com/promptkit-go/promptkit/tools/realserver

go 1.26.0
