import { plugin } from 'bun'

/** A file of an adapter that is read with a fault in it, by whoever imports it in a process that loads this one first. */
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
