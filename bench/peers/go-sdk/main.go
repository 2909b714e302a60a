// The bench's server on the Go SDK: bench <stdio|json|sse>. Over HTTP it prints its port.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type input struct {
	Text string `json:"text"`
}

func echo(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.Text}}}, nil, nil
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo", Description: "Says it again"}, echo)
	// The same: a handler has a goroutine of its own anyway.
	mcp.AddTool(server, &mcp.Tool{Name: "echo-async", Description: "Says it again"}, echo)
	return server
}

func main() {
	server := newServer()
	mode := os.Args[1]
	if mode == "stdio" {
		_ = server.Run(context.Background(), &mcp.StdioTransport{})
		return
	}
	get := func(*http.Request) *mcp.Server { return server }
	sessions := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{JSONResponse: mode == "json"})
	stateless := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{JSONResponse: mode == "json", Stateless: true})
	// As its documentation has it: sessions for clients of 2025, none for those of 2026.
	handler := http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		if request.Header.Get("MCP-Protocol-Version") == "2026-07-28" {
			stateless.ServeHTTP(response, request)
		} else {
			sessions.ServeHTTP(response, request)
		}
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("port %d\n", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, handler))
}
