import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createOwnedFolder, findServerAccount, runProgram } from '../../core/data/database/embedded.ts'
import { connectPool } from '../../core/data/sql.ts'
import { freePort } from './process.ts'
import { scratchFolder } from './scratch.ts'

/** A program of the newest PostgreSQL of the system. */
const systems = (program: string) =>
  readdirSync('/usr/lib/postgresql', { withFileTypes: true })
    .map(({ name }) => `/usr/lib/postgresql/${name}/bin/${program}`)
    .filter((path) => Bun.file(path).size > 0)
    .sort()
    .at(-1)

/** A streaming replica of a server of our own, that can be held up. */
export interface Standby {
  readonly url: string
  /** Lets it take no more of what the primary sends, or again. */
  pause(): Promise<unknown>
  resume(): Promise<unknown>
  stop(): Promise<void>
}

/** Whether this machine can make one. */
export const canCopy = (() => {
  try {
    return systems('pg_basebackup') !== undefined && systems('initdb') !== undefined
  } catch {
    return false
  }
})()

/** A primary and its replica, both of the system's own PostgreSQL, copied by pg_basebackup. */
export async function openPair(): Promise<{ primary: { url: string; stop(): Promise<void> }; standby: Standby }> {
  const identity = await findServerAccount()
  const program = (name: string) => systems(name) ?? name
  const [folder, ports] = [await scratchFolder(), [await freePort(), await freePort()] as const]
  const clusters = [join(folder, 'primary'), join(folder, 'standby')] as const
  for (const cluster of clusters) await createOwnedFolder(cluster, identity)
  await runProgram(program('initdb'), ['-D', clusters[0], '-U', 'serai', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], identity)
  const options = (at: 0 | 1) =>
    `-c listen_addresses=127.0.0.1 -c port=${ports[at]} -c unix_socket_directories='' -c max_connections=100 -c fsync=off -c jit=off -c hot_standby_feedback=on`
  const control = (at: 0 | 1, ...words: string[]) =>
    runProgram(program('pg_ctl'), [...words, '-w', '-s', '-D', clusters[at], '-l', join(clusters[at], 'server.log')], identity)
  await control(0, 'start', '-o', options(0))
  await runProgram(
    program('pg_basebackup'),
    ['-h', '127.0.0.1', '-p', String(ports[0]), '-U', 'serai', '-D', clusters[1], '-R', '-X', 'stream', '-c', 'fast'],
    identity,
  )
  await control(1, 'start', '-o', options(1))
  const url = (at: 0 | 1) => `postgres://serai@127.0.0.1:${ports[at]}/postgres`
  const sql = connectPool({ url: url(1) }, 1)
  return {
    primary: { url: url(0), stop: () => control(0, 'stop', '-m', 'immediate') },
    standby: {
      url: url(1),
      pause: () => sql`select pg_wal_replay_pause()`,
      resume: () => sql`select pg_wal_replay_resume()`,
      async stop() {
        await sql.end({ timeout: 0 })
        await control(1, 'stop', '-m', 'immediate')
      },
    },
  }
}
