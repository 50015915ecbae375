/**
 * The only script there is, and everything works without it. A form that was sent says so and cannot be
 * sent twice; a page that comes back out of the browser's memory is asked for anew; the receipt gets a
 * button to print it. Old syntax, for old phones.
 */
export const script = [
  `addEventListener("submit",function(e){`,
  `var b=e.target.querySelector("button");`,
  `b.textContent=b.getAttribute("data-busy")||b.textContent;`,
  `b.disabled=true});`,
  `addEventListener("pageshow",function(e){if(e.persisted)location.reload()});`,
  `var p=document.getElementById("print");`,
  `if(p){p.hidden=false;p.onclick=function(){print()}}`,
].join("");
