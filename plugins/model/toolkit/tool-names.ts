/** Tool names that every provider accepts: a letter or `_`, then letters, digits, `_` and `-`. */
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/
const NAME_MAX = 64
/** Property names that every provider accepts. */
const KEY = /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/

/** Maps names to unique names that a provider accepts. Valid names stay unchanged. */
function plainNames(names: readonly string[], isGood: (name: string) => boolean, odd: RegExp): ReadonlyMap<string, string> {
  const plain = new Map(names.filter(isGood).map((name) => [name, name]))
  const taken = new Set(plain.keys())
  for (const name of names.filter((one) => !plain.has(one))) {
    const ascii = name.normalize('NFKD').replace(/\p{M}/gu, '').replace(odd, '_')
    const base = (/^[A-Za-z_]/.test(ascii) ? ascii : `_${ascii}`).slice(0, NAME_MAX)
    let own = base
    for (let number = 2; taken.has(own); number += 1) own = `${base.slice(0, NAME_MAX - `_${number}`.length)}_${number}`
    taken.add(own)
    plain.set(name, own)
  }
  return plain
}

/** Maps tool names to names that every provider accepts: `3d print` becomes `_3d_print`. */
export const toolNames = (names: readonly string[]) => plainNames(names, (name) => NAME.test(name), /[^A-Za-z0-9_-]+/g)

/** Maps property names to names that every provider accepts. */
export const keyNames = (names: readonly string[]) => plainNames(names, (name) => KEY.test(name), /[^A-Za-z0-9_.-]+/g)
