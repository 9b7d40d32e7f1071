import type { Shelf } from '../discover.ts'
import type { SandboxOptions } from '../sandbox/sandbox.ts'
import { runAdapterCommand } from './main.ts'

export interface DevTask {
  readonly folder: string
  readonly shelf: Shelf
  readonly options: Omit<SandboxOptions, 'report'>
}

/** One run of the suite for `adapter dev`: started beforehand, it waits until it is told what to run, or nothing more comes. */
const told = await Bun.stdin.text()
if (told !== '') {
  const { folder, shelf, options } = JSON.parse(told) as DevTask
  process.exitCode = await runAdapterCommand(['accept', folder], shelf, options, { say: console.log, complain: console.error })
}
process.exit()
