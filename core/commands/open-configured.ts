import { mkdir } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { startEmbedded } from '../data/database/embedded.ts'
import type { Connection } from '../data/sql.ts'
import { claimDataDir } from '../process.ts'

interface ReachedDatabase {
  readonly connection: Connection
  leave(): Promise<void>
}

/** Opens the configured database. Shares a running server's embedded database, and then leaves it running. */
export async function openConfigured({ databaseUrl, dataDir }: Config): Promise<ReachedDatabase> {
  if (databaseUrl) return { connection: { url: databaseUrl }, leave: async () => {} }
  await mkdir(dataDir, { recursive: true })
  const release = await claimDataDir(dataDir).catch(() => undefined)
  const embedded = await startEmbedded(dataDir)
  return {
    connection: embedded.connection,
    async leave() {
      if (!release) return
      await embedded.stop()
      await release()
    },
  }
}
