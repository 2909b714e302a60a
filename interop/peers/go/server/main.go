// A server on the Go SDK: server <transport> [port]
package main

import (
	"context"
	"encoding/base64"
	"errors"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

var names = []string{"Ada", "Alan", "Grace"}

type none struct{}

func text(value string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: value}}}
}

func report(ctx context.Context, req *mcp.CallToolRequest, progress, total float64) {
	if token := req.Params.GetProgressToken(); token != nil {
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: progress, Total: total})
	}
}

func addTools(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, in struct {
		Text string `json:"text"`
	}) (*mcp.CallToolResult, any, error) {
		return text(in.Text), nil, nil
	})
	type numbers struct {
		A float64 `json:"a"`
		B float64 `json:"b"`
	}
	type sum struct {
		Sum float64 `json:"sum"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "add"}, func(_ context.Context, _ *mcp.CallToolRequest, in numbers) (*mcp.CallToolResult, sum, error) {
		return nil, sum{in.A + in.B}, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "picture"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		data, err := base64.StdEncoding.DecodeString(picture)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: data, MIMEType: "image/png"}}}, nil, err
	})
	mcp.AddTool(server, &mcp.Tool{Name: "fail"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("It did not work")
	})
	mcp.AddTool(server, &mcp.Tool{Name: "large"}, func(_ context.Context, _ *mcp.CallToolRequest, in struct {
		Bytes int `json:"bytes"`
	}) (*mcp.CallToolResult, any, error) {
		return text(strings.Repeat("x", in.Bytes)), nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "log"}, func(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "A line in the log"})
		return text("Logged"), nil, err
	})
}

func addSlowTools(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{Name: "count"}, func(ctx context.Context, req *mcp.CallToolRequest, in struct {
		To int `json:"to"`
	}) (*mcp.CallToolResult, any, error) {
		for step := 1; step <= in.To; step++ {
			report(ctx, req, float64(step), float64(in.To))
		}
		return text("Counted"), nil, nil
	})
	var lock sync.Mutex
	waiting := []chan none{}
	mcp.AddTool(server, &mcp.Tool{Name: "report"}, func(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		for step := 1; step <= 5; step++ {
			report(ctx, req, float64(step), 5)
		}
		released := make(chan none)
		lock.Lock()
		waiting = append(waiting, released)
		lock.Unlock()
		<-released
		return text("Released"), nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "release"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		lock.Lock()
		defer lock.Unlock()
		for _, released := range waiting {
			close(released)
		}
		waiting = nil
		return text("Done"), nil, nil
	})
	var cancelled atomic.Int32
	mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		report(ctx, req, 1, 0)
		<-ctx.Done()
		cancelled.Add(1)
		return text("Cancelled"), nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "cancellations"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return text(strconv.Itoa(int(cancelled.Load()))), nil, nil
	})
}

// Input requests are results, in both eras.
func addQuestions(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{Name: "ask_model"}, func(_ context.Context, req *mcp.CallToolRequest, in struct {
		Question string `json:"question"`
	}) (*mcp.CallToolResult, any, error) {
		switch answer := req.Params.InputResponses["model"].(type) {
		case *mcp.CreateMessageResult:
			return text(answer.Content.(*mcp.TextContent).Text), nil, nil
		case *mcp.CreateMessageWithToolsResult:
			return text(answer.Content[0].(*mcp.TextContent).Text), nil, nil
		}
		question := &mcp.SamplingMessage{Role: "user", Content: &mcp.TextContent{Text: in.Question}}
		model := &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{question}, MaxTokens: 100}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"model": model}}, nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "ask_user"}, func(_ context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		if answer, ok := req.Params.InputResponses["user"].(*mcp.ElicitResult); ok {
			if answer.Action != "accept" {
				return text("The user did not say"), nil, nil
			}
			return text("The user is " + answer.Content["name"].(string)), nil, nil
		}
		schema := map[string]any{
			"type":       "object",
			"properties": map[string]any{"name": map[string]any{"type": "string"}},
			"required":   []string{"name"},
		}
		user := &mcp.ElicitParams{Mode: "form", Message: "Who are you?", RequestedSchema: schema}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"user": user}, RequestState: "asked once"}, nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "show_roots"}, func(_ context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		if answer, ok := req.Params.InputResponses["roots"].(*mcp.ListRootsResult); ok {
			uris := []string{}
			for _, root := range answer.Roots {
				uris = append(uris, root.URI)
			}
			return text(strings.Join(uris, "\n")), nil, nil
		}
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"roots": &mcp.ListRootsParams{}}}, nil, nil
	})
}

func addNews(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{Name: "touch"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		return text("Touched"), nil, server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: "note:///motto"})
	})
	mcp.AddTool(server, &mcp.Tool{Name: "extend"}, func(_ context.Context, _ *mcp.CallToolRequest, in struct {
		On bool `json:"on"`
	}) (*mcp.CallToolResult, any, error) {
		if in.On {
			mcp.AddTool(server, &mcp.Tool{Name: "extra"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
				return text("Extra"), nil, nil
			})
		} else {
			server.RemoveTools("extra")
		}
		return text("Done"), nil, nil
	})
}

func addResources(server *mcp.Server) {
	plain := func(uri, value string) *mcp.ReadResourceResult {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: value}}}
	}
	server.AddResource(&mcp.Resource{Name: "motto", URI: "note:///motto", MIMEType: "text/plain"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return plain(req.Params.URI, "Measure twice"), nil
	})
	server.AddResource(&mcp.Resource{Name: "picture", URI: "note:///picture", MIMEType: "image/png"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		data, err := base64.StdEncoding.DecodeString(picture)
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "image/png", Blob: data}}}, err
	})
	server.AddResourceTemplate(&mcp.ResourceTemplate{Name: "note", URITemplate: "note:///by/{name}", MIMEType: "text/plain"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return plain(req.Params.URI, "A note by "+strings.TrimPrefix(req.Params.URI, "note:///by/")), nil
	})
}

func addPrompt(server *mcp.Server) {
	name := &mcp.PromptArgument{Name: "name", Required: true}
	server.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{name}}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if req.Params.Arguments["name"] == "" {
			return nil, errors.New("name is missing")
		}
		message := &mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: "Greet " + req.Params.Arguments["name"]}}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{message}}, nil
	})
}

func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	values := []string{}
	for _, name := range names {
		if strings.HasPrefix(name, req.Params.Argument.Value) {
			values = append(values, name)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "interop-server", Version: "1.0.0"}, &mcp.ServerOptions{
		CompletionHandler:  complete,
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	addTools(server)
	addSlowTools(server)
	addQuestions(server)
	addNews(server)
	addResources(server)
	addPrompt(server)
	return server
}

func main() {
	server := newServer()
	transport := os.Args[1]
	if strings.HasPrefix(transport, "stdio") {
		_ = server.Run(context.Background(), &mcp.StdioTransport{})
		return
	}
	// As its documentation has it: sessions for clients of 2025, none for those of 2026.
	options := &mcp.StreamableHTTPOptions{Stateless: transport == "http-2026", PropagateRequestCancellation: true, EventStore: mcp.NewMemoryEventStore(nil)}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, options)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[2], handler))
}
