"""Programs that are right except close to a threshold, or for inputs that an author forgets."""
import re

from abuses import Abuse

LOOP = ("import sys,json,math\n"
        "for line in sys.stdin:\n"
        "  c=json.loads(line); i=c['input']; out={}\n"
        "%s"
        "  print(json.dumps({'id':c['id'],'input':i,'output':out}),flush=True)\n")


def program(body):
    return LOOP % "".join(f"  {line}\n" for line in body.strip().splitlines())


def wrong(body, right, mistake):
    assert right in body
    return program(body.replace(right, mistake))


DISCS = """
dx=i['centre_i'][0]-i['centre_j'][0]; dy=i['centre_i'][1]-i['centre_j'][1]; d=math.hypot(dx,dy); r=i['radius_i']+i['radius_j']
out['gap']=d-r; out['present']='yes' if d-r<i['alert'] else 'no'
out['normal']=[dx/d,dy/d] if d>0 else None
"""
UPDATE = """
v,w,n=i['velocity_i'],i['velocity_j'],i['normal']; m,k=float(i['mass_i']),float(i['mass_j'])
vn=(v[0]-w[0])*n[0]+(v[1]-w[1])*n[1]; gap=max(0,i['gap']); D=max(0,-vn-gap/i['dt'])
a,b=(D,0) if k==math.inf else (0,D) if m==math.inf else (D*k/(m+k),D*m/(m+k))
out.update(normal_velocity=vn,correction=D,velocity_i=[v[0]+a*n[0],v[1]+a*n[1]],velocity_j=[w[0]-b*n[0],w[1]-b*n[1]])
"""
CLUMP = """
M=i['members']; mass=math.fsum(m['mass'] for m in M); o=max(M,key=lambda m:m['mass'])['position']
at=[[m['position'][k]-o[k] for k in range(3)] for m in M]
g=[sum(m['mass']*x[k] for m,x in zip(M,at))/mass for k in range(3)]
I=[[0]*3 for k in range(3)]
for m,x in zip(M,at):
  q=m['orientation']; s=math.sqrt(sum(t*t for t in q)); w,X,y,z=[t/s for t in q]; a=[x[k]-g[k] for k in range(3)]; f=sum(t*t for t in a)
  R=[[w*w+X*X-y*y-z*z,2*(X*y-w*z),2*(X*z+w*y)],[2*(X*y+w*z),w*w-X*X+y*y-z*z,2*(y*z-w*X)],[2*(X*z-w*y),2*(y*z+w*X),w*w-X*X-y*y+z*z]]
  for k in range(3):
    for l in range(3): I[k][l]+=sum(R[k][t]*m['inertia'][t]*R[l][t] for t in range(3))+m['mass']*((f if k==l else 0)-a[k]*a[l])
out['inertia']=[I[0][0],I[1][1],I[2][2],I[0][1],I[0][2],I[1][2]]
"""
EVERY = {"disc_disc_contact": DISCS, "nscd_contact_update": UPDATE, "clump_mass_properties": CLUMP}


def check(kernel, text, code):
    # A Python program is slow with the long clumps of the everyday profile.
    cases = "--profile degenerate --count 200 --laws 5" if kernel == "clump_mass_properties" else "--count 1500 --laws 20"
    return Abuse(f"demeter check {kernel} --subject 'pipe:python3 mine.py' {cases} --no-shrink >out", code,
                 before={"mine.py": text})


def not_judged(folder, result):
    """Checks that a wrong normal is not judged but breaks a law: for axes that intersect, its direction is a
    convention."""
    if not re.search(r"normal +not judged", result.out) or not re.search(r"convention +BROKEN", result.out, re.I):
        return "the wrong normal is not told of"
    return None


ALONG = program("out.update(uN=-2,normal=[0,0,1],point=[0,0,0],status='axes_intersect')")
CROSSED = '{"centre1":[0,0,0],"half1":[0,0,0],"radius1":1,"centre2":[0,0,0],"half2":[0,0,1],"radius2":1}'

ABUSES = [
    # Right programs must pass.
    *(check(kernel, program(body), 0) for kernel, body in EVERY.items()),
    # Wrong only near a threshold: at distances that are larger than rounding errors and smaller than typical distances.
    check("disc_disc_contact", wrong(DISCS, "d-r<i['alert']", "d-r<i['alert']+1e-9*r"), 1),
    check("disc_disc_contact", wrong(DISCS, "d-r<i['alert']", "d-r<i['alert']-1e-11*r"), 1),
    check("disc_disc_contact", wrong(DISCS, "[dx/d,dy/d]", "[dx/d if abs(dx)>1e-10*d else 0,dy/d]"), 1),
    check("nscd_contact_update", wrong(UPDATE, "gap/i['dt'])", "gap/i['dt']); D=D if D>1e-9*abs(vn) else 0"), 1),
    check("nscd_contact_update", wrong(UPDATE, "; gap=max(0,i['gap'])",
                                       "; gap=max(0,i['gap']); gap=gap if gap>1e-10*abs(vn)*i['dt'] else 0"), 1),
    # Answers that are wrong only for some inputs of the domain, such as quaternions whose length is not 1.
    check("clump_mass_properties", wrong(CLUMP, "[t/s for t in q]", "q"), 1),
    Abuse(f"demeter explain capsule_contact '{CROSSED}' --subject 'pipe:python3 mine.py'", 1, before={"mine.py": ALONG},
          check=not_judged),
]
