//! The bench's server on rmcp: bench <stdio|stdio-pipes|json|sse>. Over HTTP it prints its port.
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::transport::{stdio, stdio_pipes};
use rmcp::{ServerHandler, ServiceExt, schemars, tool, tool_handler, tool_router};
use serde::Deserialize;

#[derive(Deserialize, schemars::JsonSchema)]
struct Echo {
    text: String,
}

#[derive(Clone)]
struct Server {
    tool_router: ToolRouter<Self>,
}

#[tool_router]
impl Server {
    fn new() -> Self {
        Self { tool_router: Self::tool_router() }
    }

    #[tool(description = "Says it again")]
    async fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }

    #[tool(name = "echo-async", description = "The same: its handlers are all asynchronous")]
    async fn echo_async(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Server {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let server = Server::new();
    match args[1].as_str() {
        "stdio" => drop(server.serve(stdio()).await?.waiting().await?),
        "stdio-pipes" => drop(server.serve(stdio_pipes()).await?.waiting().await?),
        mode => serve_http(server, mode == "json").await?,
    }
    Ok(())
}

/// Its sessions answer with streams only; JSON is for requests without a session.
async fn serve_http(server: Server, json: bool) -> Result<(), Box<dyn std::error::Error>> {
    let config = StreamableHttpServerConfig::default().with_json_response(json).with_legacy_session_mode(!json);
    let service: StreamableHttpService<Server, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(server.clone()), Default::default(), config);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("port {}", listener.local_addr()?.port());
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
