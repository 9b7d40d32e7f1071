import { useEffect, useRef } from 'preact/hooks'

/** Returns the values of a form that is being submitted, and keeps the browser from submitting it by itself. */
export function readForm(event: SubmitEvent): Readonly<Record<string, string>> {
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
}

/** Returns a reference for a form: whenever one of `changes` is new, the first field with a problem gets the focus. */
export function useFocusOnProblem(...changes: readonly unknown[]) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), changes)
  return form
}
