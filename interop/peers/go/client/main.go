// A client of the Go SDK, with the lines of interop/lib/line-client.mjs: client <plan>
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log"
	"os"
	"os/exec"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type object = map[string]any

type plan struct {
	Target struct {
		URL     string            `json:"url"`
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env"`
	} `json:"target"`
	Era     string `json:"era"`
	Answers struct {
		Sample, Elicit, Tools, Log bool
		Roots                      []*mcp.Root
		LogLevel                   mcp.LoggingLevel
	} `json:"answers"`
}

type line struct {
	ID     int             `json:"id"`
	Kind   string          `json:"kind"`
	Params json.RawMessage `json:"params"`
	Cancel int             `json:"cancel"`
	Answer int             `json:"answer"`
	Result json.RawMessage `json:"result"`
}

var (
	writing   sync.Mutex
	lock      sync.Mutex
	questions = map[int]chan json.RawMessage{}
	calls     = map[int]context.CancelFunc{}
)

func say(message object) {
	bytes, err := json.Marshal(message)
	if err != nil {
		log.Fatal(err)
	}
	writing.Lock()
	defer writing.Unlock()
	os.Stdout.Write(append(bytes, '\n'))
}

// Asks the task a question of the server.
func ask(kind string, params, answer any) error {
	reply := make(chan json.RawMessage, 1)
	lock.Lock()
	id := len(questions) + 1
	questions[id] = reply
	lock.Unlock()
	say(object{"question": id, "kind": kind, "params": params})
	return json.Unmarshal(<-reply, answer)
}

func options(plan plan) *mcp.ClientOptions {
	options := &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{},
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			say(object{"progress": req.Params.ProgressToken, "params": req.Params})
		},
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
			say(object{"event": "updated", "params": req.Params})
		},
	}
	answers := plan.Answers
	if answers.Roots != nil {
		options.Capabilities.RootsV2 = &mcp.RootCapabilities{}
	}
	if answers.Tools {
		options.ToolListChangedHandler = func(context.Context, *mcp.ToolListChangedRequest) { say(object{"event": "tools"}) }
	}
	if answers.Log {
		options.LoggingMessageHandler = func(_ context.Context, req *mcp.LoggingMessageRequest) {
			say(object{"event": "log", "params": req.Params})
		}
	}
	if answers.Sample {
		options.CreateMessageHandler = func(_ context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			answer := &mcp.CreateMessageResult{}
			return answer, ask("sample", req.Params, answer)
		}
	}
	if answers.Elicit {
		options.ElicitationHandler = func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			answer := &mcp.ElicitResult{}
			return answer, ask("elicit", req.Params, answer)
		}
	}
	return options
}

func transport(plan plan) mcp.Transport {
	if plan.Target.URL != "" {
		return &mcp.StreamableClientTransport{Endpoint: plan.Target.URL}
	}
	command := exec.Command(plan.Target.Command, plan.Target.Args...)
	command.Env = os.Environ()
	for name, value := range plan.Target.Env {
		command.Env = append(command.Env, name+"="+value)
	}
	return &mcp.CommandTransport{Command: command}
}

func collect[T any](items iter.Seq2[T, error]) (any, error) {
	all := []T{}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

type named struct {
	Name, URI string
	Arguments object
	Progress  bool
	Ref       *mcp.CompleteReference
	Argument  mcp.CompleteParamsArgument
}

func call(ctx context.Context, session *mcp.ClientSession, id int, given named, level mcp.LoggingLevel) (any, error) {
	params := &mcp.CallToolParams{Name: given.Name, Arguments: given.Arguments}
	if level != "" {
		params.Meta = mcp.Meta{mcp.MetaKeyLogLevel: level}
	}
	if given.Progress {
		params.SetProgressToken(id)
	}
	return session.CallTool(ctx, params)
}

func answer(ctx context.Context, session *mcp.ClientSession, asked line, plan plan) (any, error) {
	var given named
	if err := json.Unmarshal(asked.Params, &given); err != nil {
		return nil, err
	}
	switch asked.Kind {
	case "ping":
		// Since 2026-07-28 there is no ping; any request shows that the server answers.
		if plan.Era == "2026" {
			return session.ListTools(ctx, nil)
		}
		return object{}, session.Ping(ctx, nil)
	case "tools":
		return collect(session.Tools(ctx, nil))
	case "call":
		level := plan.Answers.LogLevel
		if plan.Era != "2026" {
			level = ""
		}
		return call(ctx, session, asked.ID, given, level)
	case "resources":
		return collect(session.Resources(ctx, nil))
	case "templates":
		return collect(session.ResourceTemplates(ctx, nil))
	case "read":
		result, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: given.URI})
		if err != nil {
			return nil, err
		}
		return result.Contents, nil
	case "prompts":
		return collect(session.Prompts(ctx, nil))
	case "prompt":
		arguments := map[string]string{}
		for name, value := range given.Arguments {
			arguments[name] = fmt.Sprint(value)
		}
		return session.GetPrompt(ctx, &mcp.GetPromptParams{Name: given.Name, Arguments: arguments})
	case "complete":
		result, err := session.Complete(ctx, &mcp.CompleteParams{Ref: given.Ref, Argument: given.Argument})
		if err != nil {
			return nil, err
		}
		return result.Completion.Values, nil
	case "watch":
		return object{}, session.Subscribe(ctx, &mcp.SubscribeParams{URI: given.URI})
	case "unwatch":
		return object{}, session.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: given.URI})
	}
	return nil, fmt.Errorf("no such request: %s", asked.Kind)
}

func reply(ctx context.Context, session *mcp.ClientSession, asked line, plan plan) {
	result, err := answer(ctx, session, asked, plan)
	if err == nil {
		say(object{"id": asked.ID, "result": result})
		return
	}
	failure := object{"message": err.Error()}
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		failure["code"] = wire.Code
	}
	say(object{"id": asked.ID, "error": failure})
}

func take(session *mcp.ClientSession, asked line, plan plan) {
	lock.Lock()
	defer lock.Unlock()
	switch {
	case asked.Cancel != 0:
		calls[asked.Cancel]()
	case asked.Answer != 0:
		questions[asked.Answer] <- asked.Result
	default:
		ctx, cancel := context.WithCancel(context.Background())
		calls[asked.ID] = cancel
		go reply(ctx, session, asked, plan)
	}
}

func main() {
	var plan plan
	if err := json.Unmarshal([]byte(os.Args[1]), &plan); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1.0.0"}, options(plan))
	client.AddRoots(plan.Answers.Roots...)
	version := ""
	if plan.Era != "2026" {
		version = "2025-11-25"
	}
	session, err := client.Connect(ctx, transport(plan), &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		log.Fatal(err)
	}
	if level := plan.Answers.LogLevel; level != "" && plan.Era != "2026" {
		if err := session.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: level}); err != nil {
			log.Fatal(err)
		}
	}
	server := session.InitializeResult()
	name := ""
	if server.ServerInfo != nil {
		name = server.ServerInfo.Name
	}
	say(object{"revision": server.ProtocolVersion, "serverName": name})
	lines := bufio.NewReader(os.Stdin)
	for {
		bytes, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var asked line
		if err := json.Unmarshal(bytes, &asked); err != nil {
			log.Fatal(err)
		}
		take(session, asked, plan)
	}
	_ = session.Close()
}
