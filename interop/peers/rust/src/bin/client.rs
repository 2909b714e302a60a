//! A client of rmcp, with the lines of interop/lib/line-client.mjs: client <plan>
#![allow(deprecated)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use rmcp::model::*;
use rmcp::service::{RequestContext, RoleClient, RunningService, ServiceError};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tokio::sync::oneshot;

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn say(message: Value) {
    println!("{message}");
}

/// A value of the model from its form on the wire.
fn model<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

#[derive(Clone)]
struct Handler {
    answers: Arc<Value>,
    questions: Arc<Mutex<HashMap<u64, oneshot::Sender<Value>>>>,
}

impl Handler {
    /// Asks the task a question of the server.
    async fn ask<T: DeserializeOwned>(&self, kind: &str, params: impl Serialize) -> Result<T, ErrorData> {
        let (send, answer) = oneshot::channel();
        let id = {
            let mut questions = self.questions.lock().unwrap();
            let id = questions.len() as u64 + 1;
            questions.insert(id, send);
            id
        };
        say(json!({ "question": id, "kind": kind, "params": params }));
        let answer = answer.await.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        model(answer)
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = json!({});
        if self.answers["sample"] == true {
            capabilities["sampling"] = json!({});
        }
        if self.answers["elicit"] == true {
            capabilities["elicitation"] = json!({ "form": {} });
        }
        if self.answers["roots"].is_array() {
            capabilities["roots"] = json!({});
        }
        let mut info = ClientConfig::default();
        info.capabilities = serde_json::from_value(capabilities).unwrap();
        info
    }

    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.ask("sample", params).await
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.ask("elicit", params).await
    }

    async fn list_roots(&self, _context: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        model(json!({ "roots": self.answers["roots"] }))
    }
}

type Client = RunningService<RoleClient, Handler>;

async fn answer(client: &Client, asked: &Value) -> Result<Value, ServiceError> {
    let given = &asked["params"];
    let params = |wanted: Value| serde_json::from_value(wanted).map_err(|_| ServiceError::UnexpectedResponse);
    Ok(match asked["kind"].as_str().unwrap_or_default() {
        // Since 2026-07-28 there is no ping; any request shows that the server answers.
        "ping" => json!(client.list_tools(None).await?),
        "tools" => json!(client.list_all_tools().await?),
        "call" => {
            let call = params(json!({ "name": given["name"], "arguments": given["arguments"] }))?;
            json!(client.call_tool(call).await?)
        }
        "resources" => json!(client.list_all_resources().await?),
        "templates" => json!(client.list_all_resource_templates().await?),
        "read" => {
            let read: ReadResourceRequestParams =
                serde_json::from_value(json!({ "uri": given["uri"] })).map_err(|_| ServiceError::UnexpectedResponse)?;
            json!(client.read_resource(read).await?)["contents"].clone()
        }
        "prompts" => json!(client.list_all_prompts().await?),
        "prompt" => {
            let get: GetPromptRequestParams = serde_json::from_value(given.clone()).map_err(|_| ServiceError::UnexpectedResponse)?;
            json!(client.get_prompt(get).await?)
        }
        "complete" => {
            let (name, value) = (given["argument"]["name"].as_str().unwrap(), given["argument"]["value"].as_str().unwrap());
            let values = match given["ref"]["name"].as_str() {
                Some(prompt) => client.complete_prompt_simple(prompt, name, value).await?,
                None => client.complete_resource_simple(given["ref"]["uri"].as_str().unwrap(), name, value).await?,
            };
            json!(values)
        }
        _ => return Err(ServiceError::UnexpectedResponse),
    })
}

async fn reply(client: Arc<Client>, asked: Value) {
    match answer(&client, &asked).await {
        Ok(result) => say(json!({ "id": asked["id"], "result": result })),
        Err(ServiceError::McpError(error)) => {
            say(json!({ "id": asked["id"], "error": { "code": error.code.0, "message": error.message } }))
        }
        Err(error) => say(json!({ "id": asked["id"], "error": { "message": error.to_string() } })),
    }
}

async fn connect(plan: &Value, handler: Handler) -> Result<Client, Failure> {
    let mode = if plan["era"] == "2026" {
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
    } else {
        ClientLifecycleMode::Initialize
    };
    let target = &plan["target"];
    if let Some(url) = target["url"].as_str() {
        return Ok(handler.serve_with_lifecycle(StreamableHttpClientTransport::from_uri(url), mode).await?);
    }
    let mut command = Command::new(target["command"].as_str().unwrap());
    command.args(target["args"].as_array().unwrap().iter().filter_map(Value::as_str));
    for (name, value) in target["env"].as_object().unwrap() {
        command.env(name, value.as_str().unwrap());
    }
    Ok(handler.serve_with_lifecycle(TokioChildProcess::new(command)?, mode).await?)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let plan: Value = serde_json::from_str(&std::env::args().nth(1).unwrap())?;
    let handler = Handler { answers: Arc::new(plan["answers"].clone()), questions: Default::default() };
    let client = Arc::new(connect(&plan, handler.clone()).await?);
    let server = json!(client.peer_info().map(|info| (*info).clone()));
    say(json!({ "revision": server["protocolVersion"], "serverName": server["serverInfo"]["name"] }));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let message: Value = serde_json::from_str(&line)?;
        match message["answer"].as_u64() {
            Some(id) => {
                if let Some(question) = handler.questions.lock().unwrap().get_mut(&id) {
                    let (unused, _) = oneshot::channel();
                    let _ = std::mem::replace(question, unused).send(message["result"].clone());
                }
            }
            None => {
                tokio::spawn(reply(client.clone(), message));
            }
        }
    }
    client.cancellation_token().cancel();
    Ok(())
}
