import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findServerAccount } from '../../core/data/database/embedded.ts'
import { connectPool } from '../../core/data/sql.ts'
import { freePort } from './process.ts'
import { scratchFolder } from './scratch.ts'

/** Debian's PgBouncer, where it is installed. */
export const pgbouncer = Bun.which('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` })

export interface Pooler {
  readonly url: string
  /** What it said of itself. */
  said(): Promise<string>
  stop(): Promise<void>
}

/** Pools by transactions before a server on this port, with few sessions at it, so that each is used by many. */
export async function openPooler(port: number, sessions: number): Promise<Pooler> {
  if (!pgbouncer) throw new Error('There is no PgBouncer.')
  const [folder, identity, own] = [await scratchFolder(), await findServerAccount(), await freePort()]
  const [settings, log] = [join(folder, 'pgbouncer.ini'), join(folder, 'pgbouncer.log')]
  await writeFile(join(folder, 'users.txt'), '"serai" ""\n')
  await writeFile(log, '')
  if (identity.uid !== undefined) await chown(log, identity.uid, identity.gid)
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: own,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users.txt'),
    pool_mode: 'transaction',
    default_pool_size: sessions,
    max_client_conn: 500,
    logfile: log,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}`)
  await writeFile(settings, ['[databases]', `postgres = host=127.0.0.1 port=${port}`, '[pgbouncer]', ...text].join('\n'))
  const child = Bun.spawn([pgbouncer, '-q', settings], { ...identity, stdio: ['ignore', 'ignore', 'ignore'] } as object)
  const url = `postgres://serai@127.0.0.1:${own}/postgres`
  await answers(url)
  return {
    url,
    said: () => Bun.file(log).text(),
    async stop() {
      child.kill('SIGINT')
      child.kill('SIGTERM')
      await child.exited
    },
  }
}

async function answers(url: string) {
  const sql = connectPool({ url, pooled: true }, 1)
  for (const until = Date.now() + 10_000; ; await Bun.sleep(50)) {
    const answered = await sql`select 1`.then(
      () => true,
      () => false,
    )
    if (answered) break
    if (Date.now() > until) throw new Error('PgBouncer does not answer.')
  }
  await sql.end()
}
