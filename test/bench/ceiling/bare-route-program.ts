import { answerWith } from '../child.ts'

/** Starts a route of Bun that answers so many bytes and does nothing else. Returns its address. */
async function start({ bytes }: { readonly bytes: number }): Promise<string> {
  const body = 'x'.repeat(bytes)
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: { '/*': () => new Response(body, { headers: { 'content-type': 'application/json' } }) },
    fetch: () => new Response(null, { status: 404 }),
  })
  return `http://127.0.0.1:${server.port}`
}

answerWith(start)
