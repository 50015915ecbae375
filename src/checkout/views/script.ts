/**
 * The only script there is, and everything works without it. A form that was sent says so and cannot be
 * sent twice; a page that comes back out of the browser's memory is asked for anew; the receipt gets a
 * button to print it; a button that would be refused counts down until it is not. Old syntax, for old phones.
 */
export const script = [
  `addEventListener("submit",function(e){`,
  `var b=e.target.querySelector("button");`,
  `b.textContent=b.getAttribute("data-busy")||b.textContent;`,
  `b.disabled=true});`,
  `addEventListener("pageshow",function(e){if(e.persisted)location.reload()});`,
  `var p=document.getElementById("print");`,
  `if(p){p.hidden=false;p.onclick=function(){print()}}`,
  `var w=document.querySelector("[data-wait]"),l=document.getElementById("wait");`,
  `if(w){var t=w.textContent,u=Date.now()+1e3*w.getAttribute("data-wait");`,
  `w.disabled=true;if(l)l.hidden=true;`,
  `(function c(){var n=Math.ceil((u-Date.now())/1e3);`,
  `if(n<1){w.disabled=false;w.textContent=t}`,
  `else{w.textContent=t+" ("+(n<100?n+" s":Math.ceil(n/60)+" min")+")";setTimeout(c,500)}})()}`,
].join("");
