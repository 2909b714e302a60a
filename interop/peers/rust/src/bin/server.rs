//! A server on rmcp: server <transport> [port]
#![allow(deprecated)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rmcp::model::*;
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::stdio;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, ServerHandler, ServiceExt};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Notify;

const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// A value of the model from its form on the wire.
fn model<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn text(value: impl Into<String>) -> Value {
    json!({ "content": [{ "type": "text", "text": value.into() }] })
}

fn complete(value: Value) -> Result<CallToolResponse, ErrorData> {
    Ok(CallToolResponse::Complete(model(value)?))
}

fn object(properties: Value) -> Value {
    let required: Vec<_> = properties.as_object().unwrap().keys().cloned().collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

#[derive(Clone, Default)]
struct Server {
    released: Arc<Notify>,
    cancelled: Arc<AtomicU32>,
}

impl Server {
    async fn report(&self, context: &RequestContext<RoleServer>, steps: u32) {
        let Some(token) = context.meta.get_progress_token() else { return };
        for step in 1..=steps {
            let progress = json!({ "progressToken": token, "progress": step, "total": steps });
            let _ = context.peer.notify_progress(serde_json::from_value(progress).unwrap()).await;
        }
    }

    /// Input requests are results in 2026-07-28, and requests before.
    async fn ask(
        &self,
        question: Value,
        answers: Option<&InputResponses>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Result<Value, CallToolResponse>, ErrorData> {
        if let Some(answer) = answers.and_then(|given| given.get("answer")) {
            return Ok(Ok(serde_json::to_value(answer).unwrap()));
        }
        if context.protocol_version() == Some(ProtocolVersion::V_2026_07_28) {
            let required = json!({ "resultType": "input_required", "inputRequests": { "answer": question }, "requestState": "asked once" });
            return Ok(Err(CallToolResponse::InputRequired(model(required)?)));
        }
        let params = question["params"].clone();
        let failed = |error: rmcp::ServiceError| ErrorData::internal_error(error.to_string(), None);
        let answer = match question["method"].as_str().unwrap() {
            "elicitation/create" => json!(context.peer.create_elicitation(model(params)?).await.map_err(failed)?),
            "sampling/createMessage" => json!(context.peer.create_message(model(params)?).await.map_err(failed)?),
            _ => json!(context.peer.list_roots().await.map_err(failed)?),
        };
        Ok(Ok(answer))
    }
}

fn question_of(tool: &str, arguments: &Value) -> Value {
    match tool {
        "ask_user" => json!({ "method": "elicitation/create", "params": {
            "mode": "form",
            "message": "Who are you?",
            "requestedSchema": object(json!({ "name": { "type": "string" } })),
        } }),
        "ask_model" => json!({ "method": "sampling/createMessage", "params": {
            "messages": [{ "role": "user", "content": { "type": "text", "text": arguments["question"] } }],
            "maxTokens": 100,
        } }),
        _ => json!({ "method": "roots/list" }),
    }
}

fn answer_to(tool: &str, answer: &Value) -> Value {
    match tool {
        "ask_user" if answer["action"] == "accept" => {
            text(format!("The user is {}", answer["content"]["name"].as_str().unwrap_or("?")))
        }
        "ask_user" => text("The user did not say"),
        "ask_model" => text(answer["content"]["text"].as_str().unwrap_or("?")),
        _ => {
            let roots = answer["roots"].as_array().cloned().unwrap_or_default();
            let uris: Vec<_> = roots.iter().filter_map(|root| root["uri"].as_str()).collect();
            text(uris.join("\n"))
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .enable_completions()
            .build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("interop-server", "1.0.0");
        info
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let none = object(json!({}));
        let number = json!({ "type": "number" });
        let tool = |name: &str, schema: &Value| json!({ "name": name, "inputSchema": schema });
        let mut tools = vec![
            tool("echo", &object(json!({ "text": { "type": "string" } }))),
            tool("count", &object(json!({ "to": number }))),
            tool("large", &object(json!({ "bytes": number }))),
            tool("ask_model", &object(json!({ "question": { "type": "string" } }))),
            json!({
                "name": "add",
                "inputSchema": object(json!({ "a": number, "b": number })),
                "outputSchema": object(json!({ "sum": number })),
            }),
        ];
        for name in ["picture", "fail", "report", "release", "wait", "cancellations", "ask_user", "show_roots"] {
            tools.push(tool(name, &none));
        }
        model(json!({ "tools": tools }))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.clone().unwrap_or_default());
        match request.name.as_ref() {
            "echo" => complete(text(arguments["text"].as_str().unwrap_or_default())),
            "add" => {
                let (Some(a), Some(b)) = (arguments["a"].as_f64(), arguments["b"].as_f64()) else {
                    return Err(ErrorData::invalid_params("a and b are numbers", None));
                };
                let sum = json!({ "sum": (a + b) as i64 });
                complete(json!({ "content": [{ "type": "text", "text": sum.to_string() }], "structuredContent": sum }))
            }
            "picture" => complete(json!({ "content": [{ "type": "image", "data": PICTURE, "mimeType": "image/png" }] })),
            "fail" => {
                let mut failure = text("It did not work");
                failure["isError"] = json!(true);
                complete(failure)
            }
            "large" => complete(text("x".repeat(arguments["bytes"].as_f64().unwrap_or(0.0) as usize))),
            "count" => {
                self.report(&context, arguments["to"].as_f64().unwrap_or(0.0) as u32).await;
                complete(text("Counted"))
            }
            "report" => {
                let released = self.released.notified();
                self.report(&context, 5).await;
                released.await;
                complete(text("Released"))
            }
            "release" => {
                self.released.notify_waiters();
                complete(text("Done"))
            }
            "wait" => {
                self.report(&context, 1).await;
                context.ct.cancelled().await;
                self.cancelled.fetch_add(1, Ordering::SeqCst);
                complete(text("Cancelled"))
            }
            "cancellations" => complete(text(self.cancelled.load(Ordering::SeqCst).to_string())),
            name @ ("ask_user" | "ask_model" | "show_roots") => {
                let question = question_of(name, &arguments);
                match self.ask(question, request.input_responses.as_ref(), &context).await? {
                    Ok(answer) => complete(answer_to(name, &answer)),
                    Err(required) => Ok(required),
                }
            }
            name => Err(ErrorData::invalid_params(format!("There is no tool {name}"), None)),
        }
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        model(json!({ "resources": [
            { "uri": "note:///motto", "name": "motto", "mimeType": "text/plain" },
            { "uri": "note:///picture", "name": "picture", "mimeType": "image/png" },
        ] }))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        model(json!({ "resourceTemplates": [{ "uriTemplate": "note:///by/{name}", "name": "note" }] }))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let contents = match uri.as_str() {
            "note:///motto" => json!({ "uri": uri, "mimeType": "text/plain", "text": "Measure twice" }),
            "note:///picture" => json!({ "uri": uri, "mimeType": "image/png", "blob": PICTURE }),
            _ => match uri.strip_prefix("note:///by/") {
                Some(name) => json!({ "uri": uri, "mimeType": "text/plain", "text": format!("A note by {name}") }),
                None => return Err(ErrorData::resource_not_found(format!("There is no {uri}"), None)),
            },
        };
        Ok(ReadResourceResponse::Complete(model(json!({ "contents": [contents] }))?))
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        model(json!({ "prompts": [{ "name": "greet", "arguments": [{ "name": "name", "required": true }] }] }))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let Some(name) = arguments["name"].as_str() else {
            return Err(ErrorData::invalid_params("name is missing", None));
        };
        let message = json!({ "role": "user", "content": { "type": "text", "text": format!("Greet {name}") } });
        Ok(GetPromptResponse::Complete(model(json!({ "messages": [message] }))?))
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let names = ["Ada", "Alan", "Grace"];
        let values: Vec<_> = names.iter().filter(|name| name.starts_with(&request.argument.value)).collect();
        model(json!({ "completion": { "values": values } }))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    if args[1].starts_with("stdio") {
        Server::default().serve(stdio()).await?.waiting().await?;
        return Ok(());
    }
    let server = Server::default();
    let service: StreamableHttpService<Server, LocalSessionManager> = StreamableHttpService::new(
        move || Ok(server.clone()),
        Default::default(),
        StreamableHttpServerConfig::default(),
    );
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", args[2])).await?;
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
