import { existsSync } from 'node:fs'
import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startEmbedded } from '../../core/data/database/embedded.ts'
import { claimDataDir } from '../../core/process.ts'

const MARK = 'demo'

/** Prepares an empty data folder. Stops and removes an earlier demo. Refuses a folder with other contents. */
export async function freshFolder(dataDir: string): Promise<void> {
  const found = await readdir(dataDir).catch((): string[] => [])
  if (found.includes(MARK)) await removeDemo(dataDir)
  else if (found.length > 0) throw new Error(`${dataDir} is not empty and was not created by the demo. Set DATA_DIR to an empty folder.`)
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dataDir, MARK), 'Created by `bun run demo`, which removes this folder when it starts again.\n')
}

async function removeDemo(dataDir: string) {
  const release = await claimDataDir(dataDir)
  const postgres = join(dataDir, 'postgres')
  // A database that cannot be started is not running either.
  if (existsSync(join(postgres, 'postmaster.pid')))
    await startEmbedded(dataDir).then(
      (running) => running.stop(),
      () => {},
    )
  // If the demo ran as root, the cluster may be in another folder, behind a link.
  const cluster = await realpath(postgres).catch(() => null)
  if (cluster) await rm(cluster, { recursive: true, force: true })
  await release()
  await rm(dataDir, { recursive: true, force: true })
}
