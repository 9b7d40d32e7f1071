// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'
import { from, harmless, reached } from './harmless.ts'

/** The names of the ways that led somewhere. */
async function ways(tried) {
  const reached = []
  for (const [name, go] of Object.entries(tried)) {
    try {
      const found = await Promise.race([go(), new Promise((_, reject) => setTimeout(() => reject(new Error('nothing came')), 500))])
      if (found !== undefined && found !== null && found !== '') reached.push(`${name}: ${String(found).slice(0, 80)}`)
    } catch {}
  }
  return reached
}

// Computed, so that the bundler does not see what is meant.
const evaluated = (code) => new Function(`return ${code}`)()
const script = (code) => URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
const inWorker = async (where) => {
  const { Worker } = await from('node:worker_threads')
  const worker = new Worker(where, { eval: typeof where === 'string' && !/^(data|blob|file):/.test(where) })
  return new Promise((resolve, reject) => {
    worker.on('message', resolve)
    worker.on('error', reject)
  })
}

const attacks = {
  files: ({ credentials: { token: path } }) =>
    ways({
      deno: () => Deno.readTextFileSync(path),
      fs: async () => (await from('node:fs')).readFileSync(path, 'utf8'),
      promises: async () => (await from('node:fs/promises')).readFile(path, 'utf8'),
      open: async () => (await from('node:fs')).openSync(path),
      list: async () => (await from('node:fs')).readdirSync('/').join(),
      write: async () => (await from('node:fs')).writeFileSync(`${path}.written`, 'x') ?? 'written',
      fetch: async () => (await fetch(`file://${path}`)).text(),
      require: async () => (await from('node:module')).createRequire('file:///x.js')(path),
      process: async () => (await from('node:process')).default.getBuiltinModule('fs').readFileSync(path, 'utf8'),
      stdin: async () => (await from('node:fs')).readFileSync('/proc/self/cmdline', 'utf8'),
      sqlite: async () => new (await from('node:sqlite')).DatabaseSync(path),
      wasi: async () => new (await from('node:wasi')).WASI({ version: 'preview1', preopens: { '/': '/' } }),
    }),
  imports: ({ credentials: { token: path } }) =>
    ways({
      text: async () => (await import(path, { with: { type: 'text' } })).default,
      json: async () => (await import(path, { with: { type: 'json' } })).default,
      bytes: async () => (await import(path, { with: { type: 'bytes' } })).default,
      plain: async () => Object.keys(await import(path)),
      url: async () => (await import(`file://${path}`, { with: { type: 'text' } })).default,
      literal: async () => (await evaluated(`import('${path}', { with: { type: 'text' } })`)).default,
      // biome-ignore lint/security/noGlobalEval: that is the attack
      eval: async () => (await globalThis.eval(`import('${path}', { with: { type: 'json' } })`)).default,
      data: async () =>
        (await import(`data:text/javascript,import x from 'file://${path}' with { type: 'text' }; export default x`)).default,
      blob: async () => (await import(script(`import x from 'file://${path}' with { type: 'text' }; export default x`))).default,
      remote: async () => Object.keys(await from('https://deno.land/std/version.ts')),
      npm: async () => Object.keys(await from('npm:is-odd')),
      jsr: async () => Object.keys(await from('jsr:@std/fs')),
    }),
  workers: ({ credentials: { token: path } }) =>
    ways({
      global: () => new Worker(script('1')),
      file: () => inWorker(new URL(`file://${path}`)),
      evaluated: () => inWorker(`require('worker_threads').parentPort.postMessage(require('fs').readFileSync('${path}', 'utf8'))`),
      module: () =>
        inWorker(
          new URL(
            `data:text/javascript,import x from 'file://${path}' with { type: 'text' }; import { parentPort } from 'node:worker_threads'; parentPort.postMessage(x)`,
          ),
        ),
      imported: () =>
        inWorker(`import('${path}', { with: { type: 'text' } }).then((m) => require('worker_threads').parentPort.postMessage(m.default))`),
    }),
  environment: () =>
    ways({
      deno: () => JSON.stringify(Deno.env.toObject()),
      process: () => process.env.PATH,
      node: async () => (await from('node:process')).default.env.DENO_DIR,
      all: async () => JSON.stringify({ ...(await from('node:process')).env }).replace('{}', ''),
      host: async () => (await from('node:os')).hostname(),
      user: async () => (await from('node:os')).userInfo().username,
      networks: async () => Object.keys((await from('node:os')).networkInterfaces()).join(),
      binary: () => Deno.execPath(),
    }),
  processes: () =>
    ways({
      deno: () => new Deno.Command('id').outputSync().code,
      spawn: async () => (await from('node:child_process')).execSync('id'),
      fork: async () => (await from('node:child_process')).spawnSync('/bin/sh', ['-c', 'id']).stdout,
      kill: async () => (await from('node:process')).kill((await from('node:process')).ppid, 'SIGTERM') && 'killed',
      ffi: () => Deno.dlopen('libc.so.6', {}),
      addon: async () => (await from('node:process')).dlopen({ exports: {} }, '/usr/lib/libz.so') ?? 'loaded',
      repl: async () => (await from('node:inspector')).open(0) ?? 'opened',
    }),
}

export default carrier({
  ...harmless('reader'),
  fees: reached(attacks),
})
