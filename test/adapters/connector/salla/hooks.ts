export interface Hook {
  readonly event: string
  readonly url: string
  readonly version: number
  readonly headers: readonly { readonly key: string; readonly value: string }[]
}

/** Webhooks of a shop: asked for again at the same address, one is put right and not doubled. */
export function hooksOf() {
  const all = new Map<string, Hook>()
  const shown = () =>
    [...all.values()].map(({ headers, ...hook }, at) => ({
      id: at + 1,
      type: 'manual',
      ...hook,
      headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    }))
  return {
    all,
    shown,
    subscribe(hook: Hook) {
      all.set(`${hook.event} ${hook.url}`, hook)
      return shown().find(({ event, url }) => event === hook.event && url === hook.url)
    },
    /** All that call an address. */
    end(url: string): boolean {
      const ended = [...all].filter(([, hook]) => hook.url === url)
      for (const [key] of ended) all.delete(key)
      return ended.length > 0
    },
  }
}
