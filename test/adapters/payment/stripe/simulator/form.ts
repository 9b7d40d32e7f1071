export type Json = { readonly [name: string]: unknown }

/** `a[b][0][c]=d` as an object; a list is an object by index, as Stripe's own forms leave open which it is. */
export function nested(body: string): Json {
  const root: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(body)) {
    const path = [...name.matchAll(/^[^[]+|\[([^\]]*)\]/g)].map(([whole, inner]) => inner ?? whole)
    let at = root
    for (const step of path.slice(0, -1)) {
      const next = at[step]
      const child = typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : {}
      at[step] = child
      at = child
    }
    at[path.at(-1) ?? ''] = value
  }
  return root
}

/** What stands at `a.b.c`; undefined where nothing does. */
export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, step) => (typeof found === 'object' && found !== null ? (found as Json)[step] : undefined), value)

export const textAt = (value: unknown, path: string): string | null => {
  const found = at(value, path)
  return typeof found === 'string' ? found : null
}
