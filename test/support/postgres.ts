import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOwnedFolder, findBinaries, findServerAccount, initCluster, runProgram } from '../../core/data/database/embedded.ts'
import { freePort } from './process.ts'
import { scratchFolder } from './scratch.ts'

/** A PostgreSQL of the test's own that listens on a port, as an operator's would, and can be treated badly. */
export interface OwnPostgres {
  readonly url: string
  readonly port: number
  /** Resolves when it takes connections again. */
  restart(mode: 'fast' | 'immediate'): Promise<void>
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Halts every one of its processes where it stands: connections stay open and nothing answers. */
  freeze(): Promise<void>
  thaw(): Promise<void>
}

export async function ownPostgres(): Promise<OwnPostgres> {
  const identity = await findServerAccount()
  const binaries = await findBinaries(identity)
  const cluster = join(await scratchFolder(), 'cluster')
  await createOwnedFolder(cluster, identity)
  await initCluster(binaries, cluster, identity)
  const port = await freePort()
  const log = join(cluster, 'server.log')
  const options = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories='' -c max_connections=120 -c fsync=off -c jit=off`
  const control = (...words: string[]) =>
    runProgram(binaries.pgCtl, [...words, '--wait', '--silent', '-D', cluster, '-l', log], identity, log)
  const start = () => control('start', '-o', options)
  const signal = async (name: NodeJS.Signals) => {
    for (const pid of await processesOf(cluster)) process.kill(pid, name)
  }
  await start()
  return {
    url: `postgres://serai@127.0.0.1:${port}/postgres`,
    port,
    start,
    restart: (mode) => control('restart', '-m', mode, '-o', options),
    stop: (mode = 'fast') => control('stop', '-m', mode),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  }
}

/** The postmaster and its children. */
async function processesOf(cluster: string): Promise<number[]> {
  const postmaster = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const pairs = (await Bun.$`ps -A -o pid=,ppid=`.quiet().text()).split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return [postmaster, ...pairs.filter(([, parent]) => parent === postmaster).map(([pid]) => pid!)]
}
