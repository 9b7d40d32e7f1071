import { plugin } from 'bun'

/** A file of an adapter that is loaded with a fault planted in it, in a process that loads this module first. */
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
