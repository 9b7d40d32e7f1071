// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'
import { from, harmless, reached } from './harmless.ts'

async function ways(tried) {
  const reached = []
  for (const [name, go] of Object.entries(tried)) {
    try {
      const found = await Promise.race([go(), new Promise((_, reject) => setTimeout(() => reject(new Error('nothing came')), 1000))])
      if (found) reached.push(`${name}: ${String(found).slice(0, 80)}`)
    } catch {}
  }
  return reached
}

const ended = (socket) =>
  new Promise((resolve, reject) => {
    socket.on('connect', () => resolve('connected'))
    socket.on('error', reject)
  })

/** The token names the canaries: an HTTP and TCP listener, and a name server. */
const attacks = {
  gateway: ({ fetch, credentials }) => {
    const { http } = JSON.parse(credentials.token)
    const text = async (url, init) => (await fetch(url, init)).text()
    return ways({
      address: () => text(`http://127.0.0.1:${http}/`),
      name: () => text(`http://localhost:${http}/`),
      six: () => text(`http://[::1]:${http}/`),
      undeclared: () => text('https://example.com/'),
      cloud: () => text('http://169.254.169.254/latest/meta-data'),
      port: () => text(`https://api.hostile.example:${http}/`).then((seen) => !seen.includes('api.hostile.example')),
      decimal: () => text(`http://2130706433:${http}/`),
      hexadecimal: () => text(`http://0x7f.1:${http}/`),
      mapped: () => text(`http://[::ffff:127.0.0.1]:${http}/`),
      zero: () => text(`http://0:${http}/`),
      dot: () => text('https://example.com./'),
      below: () => text('https://x.api.hostile.example/'),
      lookalike: () => text('https://аpi.hostile.example/'),
      backslash: () => text(`https://127.0.0.1:${http}\\@api.hostile.example/`),
      socket: () => text(`wss://api.hostile.example/`),
      file: () => text('file:///etc/passwd'),
      data: () => text('data:text/plain,x'),
      userinfo: () => text(`https://api.hostile.example@127.0.0.1:${http}/`),
      redirect: () => text('https://api.hostile.example/away', { followRedirects: true }),
      header: () =>
        text('https://api.hostile.example/echo', { headers: { host: 'internal.example' } }).then((seen) =>
          seen.includes('internal.example'),
        ),
      smuggled: () =>
        text('https://api.hostile.example/echo', { headers: { 'x-a': 'b\r\nx-smuggled: yes' } }).then((seen) =>
          seen.includes('x-smuggled'),
        ),
    })
  },
  sockets: ({ credentials }) => {
    const { http, dns } = JSON.parse(credentials.token)
    return ways({
      fetch: () => fetch(`http://127.0.0.1:${http}/`),
      websocket: () => new WebSocket(`ws://127.0.0.1:${http}/`),
      events: () => new EventSource(`http://127.0.0.1:${http}/`),
      deno: () => Deno.connect({ hostname: '127.0.0.1', port: http }),
      net: async () => ended((await from('node:net')).connect(http, '127.0.0.1')),
      tls: async () => ended((await from('node:tls')).connect(http, '127.0.0.1')),
      http: async () => ended((await from('node:http')).get(`http://127.0.0.1:${http}/`)),
      http2: async () => ended((await from('node:http2')).connect(`http://127.0.0.1:${http}`)),
      undici: async () => (await from('node:undici')).fetch(`http://127.0.0.1:${http}/`),
      listen: async () => {
        const server = (await from('node:net')).createServer()
        return new Promise((resolve, reject) => server.on('error', reject).listen(0, () => resolve('listens')))
      },
      udp: async () => {
        const socket = (await from('node:dgram')).createSocket('udp4')
        return new Promise((resolve, reject) =>
          socket.on('error', reject).send('x', dns, '127.0.0.1', (error) => (error ? reject(error) : resolve('sent'))),
        )
      },
      lookup: async () => (await from('node:dns/promises')).lookup('localhost'),
      resolver: async () => {
        const resolver = new (await from('node:dns/promises')).Resolver()
        resolver.setServers([`127.0.0.1:${dns}`])
        return resolver.resolve4('secret.example')
      },
      denoDns: () => Deno.resolveDns('secret.example', 'A', { nameServer: { ipAddr: '127.0.0.1', port: dns } }),
      import: () => import(`http://127.0.0.1:${http}/code.js`),
      importInWorker: async () => {
        const { Worker } = await from('node:worker_threads')
        const worker = new Worker(new URL(`http://127.0.0.1:${http}/code.js`))
        return new Promise((resolve, reject) => worker.on('online', resolve).on('error', reject))
      },
    })
  },
}

export default carrier({
  ...harmless('caller'),
  fees: reached(attacks),
})
