import { plugin } from 'bun'

/** Fault in a file of an adapter. A process that preloads this module loads the file with the fault. */
export interface Fault {
  readonly path: string
  readonly text: string
}

const { path, text } = JSON.parse(process.env.FAULT ?? '{}') as Fault

plugin({
  name: 'a fault in an adapter',
  setup: (build) =>
    void build.onLoad({ filter: new RegExp(`^${path.replace(/[^a-z0-9/]/gi, '\\$&')}$`) }, () => ({ contents: text, loader: 'ts' })),
})
