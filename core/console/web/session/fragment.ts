let kept = ''

/** Reads the fragment of the address. Keeps it after its removal there, because another language shows the page anew. */
export function readFragment(): string {
  if (location.hash !== '') kept = location.hash.slice(1)
  return kept
}
