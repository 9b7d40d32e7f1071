/** Returns the values of a form that is being submitted, and keeps the browser from submitting it by itself. */
export function readForm(event: SubmitEvent): Readonly<Record<string, string>> {
  event.preventDefault()
  const form = event.currentTarget as HTMLFormElement
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value).trim()]))
}
