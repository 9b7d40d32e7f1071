import { join } from 'node:path'
import { INSTALLED_FOLDER } from '../plugins/host/discover.ts'
import type { Config } from './config.ts'

const ADAPTERS = join(import.meta.dir, '../adapters')

/** Returns the folders, approval rules and process limits of adapters. The server and the `adapter` commands share them. */
export function adapterSettings(config: Config) {
  const folder = join(config.dataDir, 'adapters')
  const { enabledAdapters: enabled, adapterIsolation: isolation, adapterApproval: approval } = config
  return {
    shelf: {
      own: [ADAPTERS],
      others: [...config.adapterDirs, join(folder, INSTALLED_FOLDER)],
      enabled,
      isolation,
      approval,
      kept: join(folder, 'own-bundles.json'),
    },
    options: { folder, processes: config.sandboxProcesses, memoryMb: config.sandboxMemoryMb, lookMs: config.sandboxLookMs },
  }
}
