import Fastify from "fastify";
import pg from "pg";

/** The minimal server with Fastify and pg: one route that queries the database. For comparing start and memory at rest. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
const app = Fastify();
app.get("/", async () => (await pool.query("select 1 as one")).rows[0]);
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
process.stdin.resume().on("end", () => process.exit(0));
process.on("SIGTERM", () => process.exit(0));
